import ./shell.nix
