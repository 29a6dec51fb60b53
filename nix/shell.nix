# The real Batsim, batsched and pred-aware. README.md in this folder explains the use.
{ kapack ? import (fetchTarball {
    # commit of 2025-06-19, with Batsim 4.2.0 and batsched 1.4.0; later commits removed batsched
    url = "https://github.com/oar-team/nur-kapack/archive/454cf283289cc3092ec002e662aef343dc09b19f.tar.gz";
    sha256 = "1lgx5f8rnkhym96rzvm4xnfqx4m0l867k8i29yax6r3yjqnhmxr0";
  }) { }
, batsim ? kapack.batsim
  # not tried: Batsim 5.0.0-rc2, from the flake of Batsim's own repository
, batsim5 ? (import (fetchTarball {
    url = "https://github.com/oar-team/batsim/archive/ba7ea85fa20e81415e2f52290b56120192504553.tar.gz";
    sha256 = "0adph7ra75j1dzmcjb3zb9w4dcfh25wgir0vnh9yfrvrwrsj5kim";
  })).packages.${builtins.currentSystem}.batsim
  # folder of the Python packages; a string, because Nix would copy a path into its store
, environment ? toString ./. + "/.venv"
}:

let
  inherit (kapack) pkgs;
  python = pkgs.python312;
  checkout = toString ./..;

  # Wheels from PyPI expect these libraries in the system's folders. Only our commands get their
  # path, because programs of the host system must not load them.
  libraries = pkgs.lib.makeLibraryPath [ pkgs.stdenv.cc.cc.lib pkgs.zlib ];

  command = name: pkgs.writeShellScriptBin name ''
    export LD_LIBRARY_PATH="${libraries}''${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    exec "${environment}/bin/${name}" "$@"
  '';
  commands = map command [ "pred-aware" "pybatsim" "python" ];

  withSchedulers = name: packages: pkgs.mkShell {
    inherit name;
    packages = [ kapack.batsched ] ++ commands ++ packages;
    shellHook = ''
      bash "${checkout}/nix/environment.sh" "${python}/bin/python3" "${checkout}" "${environment}" ||
        exit 1
    '';
  };
in

withSchedulers "batsim-and-schedulers" [ batsim ] // {
  batsim_terminal = pkgs.mkShell {
    name = "batsim-terminal";
    packages = [ batsim ];
  };
  batsim5_terminal = pkgs.mkShell {
    name = "batsim5-terminal";
    packages = [ batsim5 ];
  };
  scheduler_terminal = withSchedulers "scheduler-terminal" [ ];
}
