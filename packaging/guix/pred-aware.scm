;;; For Guix.  Guix 1.5.0 can read this file, but did not build it.  Guix has python-typer 0.20, and
;;; pred-aware needs 0.29.
;;; The hash is a placeholder until packaging/set_release.py writes the release's hash.
(define-module (pred-aware)
  #:use-module (guix build-system pyproject)
  #:use-module ((guix build-system python) #:select (pypi-uri))
  #:use-module (guix download)
  #:use-module ((guix licenses) #:prefix license:)
  #:use-module (guix packages)
  #:use-module (gnu packages))

(define-public python-procset
  (package
    (name "python-procset")
    (version "1.0")
    (source
     (origin
       (method url-fetch)
       (uri (pypi-uri "procset" version))
       (sha256
        (base32 "0in13zi0a8q9m7qiawhmh6y2jnlny6xilscl9injp0h2x57im4hh"))))
    (build-system pyproject-build-system)
    (native-inputs (map specification->package '("python-setuptools" "python-wheel")))
    (home-page "https://gitlab.inria.fr/bleuse/procset.py")
    (synopsis "Sets of closed intervals")
    (description
     "This package provides sets of integers that are kept as closed intervals,
for resources of a cluster.")
    (license license:lgpl3)))

(define-public pred-aware
  (package
    (name "pred-aware")
    (version "0.2.0")
    (source
     (origin
       (method url-fetch)
       (uri (pypi-uri "pred_aware" version))
       (sha256
        (base32 "0000000000000000000000000000000000000000000000000000"))))
    (build-system pyproject-build-system)
    ;; the tests need packages that only requirements-dev.lock has
    (arguments (list #:tests? #f))
    (native-inputs
     (map specification->package '("python-cython" "python-hatch-fancy-pypi-readme" "python-hatchling"
                                     "python-setuptools")))
    (propagated-inputs
     (cons python-procset
           (map specification->package
                '("python-cloudpickle"
                  "python-matplotlib"
                  "python-msgspec"
                  "python-numpy"
                  "python-packaging"
                  "python-pandas"
                  "python-pyzmq"
                  "python-rich"
                  "python-scikit-learn"
                  "python-scipy"
                  "python-threadpoolctl"
                  "python-typer"))))
    (home-page "https://pypi.org/project/pred-aware/")
    (synopsis "What run time prediction changes in a batch queue")
    (description
     "pred-aware finds out from a site's own job log how run time prediction would change
the queue of its batch scheduler: which jobs would wait less, which would wait
longer, and by how much.")
    (license license:lgpl3+)))
