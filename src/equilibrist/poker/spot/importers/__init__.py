"""Spots from elsewhere: wasm-postflop and desktop-postflop, TexasSolver, PioSOLVER."""
