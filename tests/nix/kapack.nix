# What shell.nix takes from NUR-Kapack and nixpkgs, with nothing to fetch: programs are those of a
# folder, derivations are built by the system's shell.
{ programs }:

let
  system = builtins.currentSystem;
  build = name: script: derivation {
    inherit name system;
    builder = "/bin/sh";
    args = [ "-c" "PATH=/usr/bin:/bin; ${script}" ];
  };
  program = name: version: build "${name}-${version}" ''
    mkdir -p $out/bin && ln -s ${programs}/${name} $out/bin/${name}
  '';
in
{
  batsim = program "batsim" "4.2.0";
  batsched = program "batsched" "1.4.0";
  pkgs = {
    python312 = "${programs}/python312";
    stdenv.cc.cc.lib = "/gcc";
    zlib = "/zlib";
    lib.makeLibraryPath = builtins.concatStringsSep ":";
    writeShellScriptBin = name: text: build name ''
      mkdir -p $out/bin
      printf '#!/bin/sh\n%s' '${text}' > $out/bin/${name} && chmod +x $out/bin/${name}
    '';
    mkShell = { name, packages, shellHook ? "" }: derivation {
      inherit name system packages shellHook;
      builder = "/bin/sh";
      # nix-shell sources `setup` of this folder, and then runs the hook
      stdenv = build "stdenv" ''
        mkdir $out
        echo 'for package in $packages; do PATH=$package/bin:$PATH; done' > $out/setup
        echo 'runHook() { eval "''${!1-}"; }' >> $out/setup
      '';
    };
  };
}
