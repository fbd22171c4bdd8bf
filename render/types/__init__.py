"""Types shared by graph, compiler, runtime and backends, so that none of them imports another upward."""
