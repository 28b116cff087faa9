"""Thin ways in: socket, command line."""

from __future__ import annotations
