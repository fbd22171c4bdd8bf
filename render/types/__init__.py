"""What graph, compiler, runtime and backends share, so that none of them imports another upward."""
