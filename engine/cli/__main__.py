"""``python -m renderwright.engine.cli``: the command line without its installed script."""

import sys

from renderwright.engine.cli import main

sys.exit(main())
