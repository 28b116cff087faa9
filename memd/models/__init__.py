"""Models: chat endpoints that may be asked, where the user has set one. None is needed and none is set by default."""

from __future__ import annotations
