"""The runs of a campaign, identified by their inputs, and their state in the store."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from pred_aware.campaign import run_digest
from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.kept_metrics import BASELINE, STARTS, extra_files
from pred_aware.campaign.messages import Figures
from pred_aware.campaign.run_digest import Identity
from pred_aware.campaign.specification import RunKey, Specification
from pred_aware.campaign.store import Store
from pred_aware.errors import USER_ERRORS, PredAwareError
from pred_aware.execution.simulate import options_for
from schedulers import make_policy
from schedulers.site.in_words import rules_in_words
from schedulers.site.reader import site_of
from schedulers.specification import specify


class Inventory:
    """The runs of a campaign: their digests, and which are finished or needed.

    Files are read once, when they are first needed.

    Parameters
    ----------
    specification
        The campaign.

    Attributes
    ----------
    unreadable : dict
        Logs that cannot be read, by name, with the reason.
    """

    def __init__(self, specification: Specification) -> None:
        self.specification = specification
        self.store = Store(specification.store)
        self.unreadable: dict[str, str] = {}

    def with_shakes(self, number: int) -> "Inventory":
        """Return the runs of the same logs and policies with another number of perturbed copies.

        Digests of logs and policies are reused.
        """
        logs = tuple(
            replace(log, shakes=replace(log.shakes, at_least=number, at_most=number))
            for log in self.specification.logs
        )
        other = Inventory(replace(self.specification, logs=logs))
        other.unreadable = self.unreadable
        other._policies, other._logs = self._policies, self._logs
        return other

    @property
    def baseline(self) -> int:
        """The index of the baseline among the policies."""
        spec = self.specification
        return [policy.name for policy in spec.policies].index(spec.baseline)

    @cached_property
    def _policies(self) -> list[Identity]:
        spec = self.specification
        found = []
        for policy in spec.policies:
            try:
                found.append(run_digest.of_policy(policy, delays=spec.delays))
            except USER_ERRORS as error:
                raise _policy_wrong(policy.name, error) from error
        return found

    @cached_property
    def _logs(self) -> list[Identity | None]:
        found: list[Identity | None] = []
        for log in self.specification.logs:
            try:
                found.append(run_digest.of_log(log))
            except USER_ERRORS as error:
                self.unreadable[log.name] = str(error)
                found.append(None)
        return found

    def check(self) -> None:
        """Check before the first run that all runs can be made.

        Raises
        ------
        PredAwareError
            A policy is invalid, no log can be read, a measure is unknown, or the store has another
            version.
        """
        self.store.check()
        spec = self.specification
        for policy in spec.policies:
            options = options_for(policy.scheduler, policy.options, delays=spec.delays)
            try:
                make_policy(policy.scheduler, options)
                for log in spec.logs:
                    # check the site's rules, without the log's dates, which are not known yet
                    specify(policy.scheduler, {**options, **log.of_site})
            except USER_ERRORS as error:
                raise _policy_wrong(policy.name, error) from error
        if not any(self._logs):
            raise PredAwareError(next(iter(self.unreadable.values())))

    def digest(self, place: RunKey) -> str | None:
        """Return the digest that identifies a run; ``None`` if its log cannot be read."""
        log = self._logs[place.log]
        if log is None:
            return None
        return run_digest.digest_of_run(
            log,
            self._policies[place.policy],
            copy=place.copy,
            tau=self.specification.tau,
        )

    def finished(self, place: RunKey) -> str | None:
        """Return the digest of a run in the store; ``None`` if the store does not have it."""
        digest = self.digest(place)
        return digest if digest is not None and self.store.has(digest) else None

    def need_policies(self) -> None:
        """Raise an error if the campaign has only predictors, so that there are no runs.

        Raises
        ------
        PredAwareError
            The campaign has no policies.
        """
        if not self.specification.policies:
            raise PredAwareError(
                "the campaign has only predictors and no [policies.NAME]; `campaign run` replays "
                "them, and `campaign table` shows the results"
            )

    def agenda(self, names: Iterable[str] | None = ()) -> Agenda:
        """Return the finished and the needed runs, from the present state of the store.

        Parameters
        ----------
        names
            Further measures to read for each run, besides those of the campaign; ``None`` for all.

        Raises
        ------
        PredAwareError
            The campaign has no policies, or the store has another version.
        """
        self.need_policies()
        self.store.check()
        wanted = None if names is None else dict.fromkeys((*self.specification.measures, *names))
        there, failed = self.store.figures(wanted), self.store.failures()

        def find(place: RunKey) -> Figures | bool | None:
            digest = self.digest(place)
            if digest is None:
                return False
            if digest in there and self._complete(digest):
                return {**there[digest], **self._starts(digest)}
            return False if digest in failed else None

        return Agenda(self.specification, find)

    def baselines(self) -> dict[str, str]:
        """Return for each log a sentence that compares the baseline with the recorded queue.

        Logs without a finished run of the baseline are left out.
        """
        return {log: str(check["sentence"]) for log, check in self.checks().items()}

    def checks(self) -> dict[str, dict[str, Any]]:
        """Return for each log how similar a finished run of the baseline is to the recorded queue.

        `base` says which statements about the site are allowed
        (`pred_aware.recorded_queue.BaselineCheck.base`). It depends on `second_half`, the
        similarity in the second half of the log. Runs of older versions lack both.
        """
        spec = self.specification
        return {
            log.name: self.store.read(digest, BASELINE)
            for number, log in enumerate(spec.logs)
            if (digest := self.finished(RunKey(number, self.baseline))) is not None
        }

    def left_out(self) -> list[str]:
        """Return a sentence for each log whose runs are not shown, with the reason."""
        return [
            f"{log}: its runs cannot be identified and are not shown: {reason}"
            for log, reason in self.unreadable.items()
        ]

    def sites(self) -> list[str]:
        """Return a sentence for each log with a site, with the rules that its runs apply."""
        sites = {
            log.name: site_of(log.site) for log in self.specification.logs if log.site is not None
        }
        return [
            f"{log}: each policy applies the rules of {site.name}: "
            f"{'; '.join(rules_in_words(site)) or 'none'}."
            for log, site in sites.items()
        ]

    def failures(self, agenda: Agenda) -> Iterator[tuple[str, str]]:
        """Yield the failures with reasons: logs, then runs."""
        yield from self.unreadable.items()
        for place in sorted(agenda.failed, key=lambda run: run.in_order):
            digest = self.digest(place)
            if digest is not None and (failure := self.store.failure(digest)) is not None:
                yield self.run_name(place), failure.reason

    def forget_failures(self) -> None:
        """Let failed runs be repeated."""
        for place in self.agenda().failed:
            digest = self.digest(place)
            if digest is not None:
                self.store.forget_failure(digest)

    def is_there(self, digest: str) -> bool:
        """Return True if a run is in the store, with all files that this campaign stores."""
        return self.store.has(digest) and self._complete(digest)

    def figures(self, digest: str) -> Figures:
        """Return the measures of a finished run, including those that only some campaigns store.

        Raises
        ------
        PredAwareError
            The measures cannot be read.
        """
        return {**self.store.read(digest)["figures"], **self._starts(digest)}

    @cached_property
    def _extra_files(self) -> set[str]:
        return extra_files(self.specification)

    def _complete(self, digest: str) -> bool:
        return all(self.store.holds(digest, name) for name in self._extra_files)

    def _starts(self, digest: str) -> Figures:
        return self.store.read(digest, STARTS) if STARTS in self._extra_files else {}

    def run_name(self, place: RunKey) -> str:
        """Return a run's name."""
        spec = self.specification
        return f"{spec.logs[place.log].name}, {spec.policies[place.policy].name}, {place.copy_name}"


def _policy_wrong(name: str, error: Exception) -> PredAwareError:
    return PredAwareError(f"policy '{name}': {error}")
