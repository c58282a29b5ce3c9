package dev.pawl.specification;

import static dev.pawl.specification.Difference.require;
import static dev.pawl.specification.Difference.same;

import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRun.Ending;
import dev.pawl.spi.RemoteRuns;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Runs that are handed off to remote workers: see {@link RemoteRuns}. */
final class RemoteOps {
    private static final String FIRST = "first";

    /** Another remote worker, which was offered the same run. */
    private static final String SECOND = "second";

    private RemoteOps() {}

    /**
     * A run that was handed off to the first remote worker.
     *
     * @param run as remote workers know it
     * @param claim the model's number of the claim
     */
    record Remote(RemoteRun run, long claim) {}

    /** A worker hands a run off. From then on the run belongs to no process. */
    record HandOff(int run) implements Op {
        @Override
        public void on(Real real, Model model) throws SQLException {
            if (real.runs.isEmpty() || model.limits.any()) {
                return; // the model does not know how limits count such runs
            }
            Real.Held held = real.runs.remove(run % real.runs.size());
            long id = held.run().job().id();
            boolean handedOff = held.worker().handOff(held.run()); // may be true although the lease is lost
            require(handedOff || !model.isHeld(id, held.claim()), "the run of job %s cannot be handed off", id);
            model.limits.left(held.claim());
            real.remoteRuns.add(new Remote(new RemoteRun(id, held.run().job().leaseToken(), FIRST), held.claim()));
        }

        @Override
        public String toString() {
            return Op.call("handOff", run);
        }
    }

    /** What a remote worker does with a run, or the manager that has offered it the run. */
    enum Does {
        RENEW,
        WITHDRAW,
        COMPLETE,
        FAIL,
        RETRY_AFTER_20S,
        SNOOZE_20S,
        KEY_UNAVAILABLE_1M,
        CANCEL,
        DISCARD
    }

    /** A remote worker, or the other one, changes a run, which may have ended. */
    record Change(Does does, int run, boolean bySecond) implements Op {
        @Override
        public void on(Real real, Model model) {
            if (real.remoteRuns.isEmpty()) {
                return;
            }
            Remote remote = real.remoteRuns.get(run % real.remoteRuns.size());
            long id = remote.run.jobId();
            RemoteRun one = new RemoteRun(id, remote.run.leaseToken(), bySecond ? SECOND : FIRST);
            RemoteRuns runs = real.queue.unwrap(RemoteRuns.class);
            switch (does) {
                case RENEW ->
                    same(
                            "renewal of job " + id,
                            model.remote.renew(remote.claim, one),
                            runs.renew(one, Model.LEASE, ModelRemote.LONGEST, null));
                case WITHDRAW ->
                    same("withdrawal of job " + id, model.remote.withdraw(remote.claim, one), runs.withdraw(one));
                case FAIL -> {
                    Ending ending = runs.fail(
                            one,
                            "failed",
                            List.of(),
                            kind -> RetryPolicy.fixed(kind.equals("kb") ? Model.RETRY_OF_KB : Model.RETRY));
                    same("end of job " + id, model.remote.end(remote.claim, one, How.FAIL), ending);
                }
                case COMPLETE -> end(model, runs, remote, one, How.COMPLETE, Outcome.completed());
                case RETRY_AFTER_20S ->
                    end(
                            model,
                            runs,
                            remote,
                            one,
                            How.RETRY_AFTER_20S,
                            Outcome.retryAfter(Duration.ofSeconds(20), "later"));
                case SNOOZE_20S ->
                    end(model, runs, remote, one, How.SNOOZE_20S, Outcome.snoozeFor(Duration.ofSeconds(20)));
                case KEY_UNAVAILABLE_1M ->
                    end(
                            model,
                            runs,
                            remote,
                            one,
                            How.KEY_UNAVAILABLE_1M,
                            Outcome.keyUnavailable(Duration.ofMinutes(1), "away"));
                case CANCEL -> end(model, runs, remote, one, How.CANCEL, Outcome.cancel("not wanted"));
                case DISCARD -> end(model, runs, remote, one, How.DISCARD, Outcome.discard("hopeless"));
            }
        }

        private static void end(Model model, RemoteRuns runs, Remote remote, RemoteRun one, How how, Outcome outcome) {
            Ending ending = runs.end(one, outcome, List.of());
            same("end of job " + one.jobId(), model.remote.end(remote.claim, one, how), ending);
        }

        @Override
        public String toString() {
            return Op.call("remote", does, run, bySecond);
        }
    }
}
