"""How each kind of claim is tried."""
