package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.api.Outcome;
import dev.pawl.internal.store.JobStore;
import dev.pawl.internal.store.WorkerPart;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts that features add to a worker, as one. Thread-safe. */
final class AddedParts {
    private final List<WorkerPart> all;

    AddedParts(List<WorkerPart> all) {
        this.all = all;
    }

    List<WorkerPart> all() {
        return all;
    }

    void read(JobStore.Settings settings) {
        all.forEach(part -> part.read(settings));
    }

    boolean wantSettings() {
        return all.stream().anyMatch(WorkerPart::wantsSettings);
    }

    void claims() {
        for (WorkerPart part : all) {
            part.claims();
        }
    }

    void ran(Job job, @Nullable Outcome outcome) {
        for (WorkerPart part : all) {
            part.ran(job, outcome);
        }
    }

    void recorded(List<Job> jobs) {
        if (!jobs.isEmpty()) {
            all.forEach(part -> part.recorded(jobs));
        }
    }

    boolean areReleasing() {
        for (WorkerPart part : all) {
            if (part.isReleasing()) {
                return true;
            }
        }
        return false;
    }

    boolean areBusy() {
        return all.stream().anyMatch(WorkerPart::isBusy);
    }

    /** {@return the smallest number of checks that a part has made; {@link Long#MAX_VALUE} if there is nothing to check} */
    long checks() {
        return all.stream().mapToLong(WorkerPart::checks).min().orElse(Long.MAX_VALUE);
    }

    Set<String> watched() {
        Set<String> watched = new HashSet<>();
        all.forEach(part -> watched.addAll(part.watched()));
        return watched;
    }

    boolean areSettledSince(long nanos) {
        return all.stream().allMatch(part -> part.isSettledSince(nanos));
    }

    void stop() {
        all.forEach(WorkerPart::stop);
    }

    void signOff() throws SQLException {
        for (WorkerPart part : all) {
            part.signOff();
        }
    }
}
