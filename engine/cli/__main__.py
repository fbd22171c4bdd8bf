"""``python -m renderwright.engine.cli``: the command line without the installed script."""

import sys

from renderwright.engine.cli import main

sys.exit(main())
