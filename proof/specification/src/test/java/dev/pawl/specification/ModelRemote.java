package dev.pawl.specification;

import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRun.Ending;
import dev.pawl.spi.RemoteRun.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Runs that were handed off: which remote worker has each run, and since when. */
final class ModelRemote {
    /** The maximum duration of a run. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private record Assigned(String worker, Instant since) {}

    private final Model model;
    /** By claim; kept as long as the job. */
    private final Map<Long, Assigned> assigned = new HashMap<>();

    ModelRemote(Model model) {
        this.model = model;
    }

    ModelRemote copy(Model of) {
        ModelRemote copy = new ModelRemote(of);
        copy.assigned.putAll(assigned);
        return copy;
    }

    boolean any() {
        return !assigned.isEmpty();
    }

    /** {@return whether the run goes on, and no other remote worker has it} */
    private boolean isOf(long claim, RemoteRun run) {
        Assigned to = assigned.get(claim);
        return model.isHeld(run.jobId(), claim) && (to == null || to.worker.equals(run.worker()));
    }

    private Assigned assign(long claim, RemoteRun run) {
        return assigned.computeIfAbsent(claim, any -> new Assigned(run.worker(), model.now));
    }

    /** {@return what the remote worker is told} */
    Renewal renew(long claim, RemoteRun run) {
        if (!isOf(claim, run)) {
            return Renewal.LOST;
        }
        Instant since = assign(claim, run).since;
        if (!model.now.isBefore(since.plus(LONGEST))) {
            return Renewal.OVERDUE;
        }
        return model.renewRemote(run.jobId()) ? Renewal.CANCEL_REQUESTED : Renewal.RENEWED;
    }

    /** {@return whether the remote worker had the run} It may have ended. */
    boolean withdraw(long claim, RemoteRun run) {
        Assigned to = assigned.get(claim);
        boolean had = to != null && to.worker.equals(run.worker());
        if (had) {
            assigned.remove(claim);
        }
        return had && model.job(run.jobId()) != null;
    }

    /** {@return how the run has ended, as the remote worker is told} */
    Ending end(long claim, RemoteRun run, How how) {
        if (!isOf(claim, run)) {
            return Ending.REFUSED;
        }
        Assigned unused = assign(claim, run);
        return switch (model.endRemote(run.jobId(), how)) {
            case COMPLETED -> Ending.COMPLETED;
            case CANCELLED -> Ending.CANCELLED;
            case DISCARDED -> Ending.DISCARDED;
            default -> how == How.FAIL || how == How.RETRY_AFTER_20S ? Ending.FAILED : Ending.SNOOZED;
        };
    }
}
