"""``python -m engine.cli``: the command line without its installed script."""

import sys

from engine.cli import main

sys.exit(main())
