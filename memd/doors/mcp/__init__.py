"""The MCP door: what agents reach memd through. A pump on their side, one process with the protocol on memd's."""

from __future__ import annotations
