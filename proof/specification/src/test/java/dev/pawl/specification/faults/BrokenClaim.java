package dev.pawl.specification.faults;

import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.internal.engine.StepWorker;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import dev.pawl.specification.Spec;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A claim that may be interrupted. It consists of several transactions, so the worker may receive all claimed jobs, some, or none. Jobs
 * that it did not receive count as running until their leases have expired.
 */
final class BrokenClaim {
    private final Op.Claim claim;
    private final Real real;
    private final Model model;
    private final JdbcFaults faults;

    BrokenClaim(Op.Claim claim, Real real, Model model) {
        this.claim = claim;
        this.real = real;
        this.model = model;
        this.faults = ((FaultyStage) real.stage).faults();
    }

    void run() throws SQLException {
        List<StepWorker.Run> received = List.of();
        try {
            received = real.worker.claim(claim.queue(), claim.kinds().kinds, claim.most());
        } finally {
            faults.disarm();
            receive(received);
        }
    }

    private void receive(List<StepWorker.Run> received) {
        List<Job> jobs = received.stream().map(StepWorker.Run::job).toList();
        Map<Long, Job> listed = real.listed();
        model.returned(real.worker.returned());
        model.claim(real.worker, claim.queue(), claim.kinds().kinds, jobs.size(), jobs, 0);
        received.forEach(
                run -> real.runs.add(new Real.Held(run, model.claimOf(run.job().id()), real.worker)));
        Set<Long> known = jobs.stream().map(Job::id).collect(Collectors.toSet());
        List<Job> missing = listed.values().stream()
                .filter(seen -> seen.state() == JobState.RUNNING && !known.contains(seen.id()) && isNew(seen))
                .toList();
        model.taken(claim.queue(), claim.kinds().kinds, missing);
    }

    private boolean isNew(Job seen) {
        Spec before = model.job(seen.id());
        return before == null || !before.runs() || before.token != seen.leaseToken();
    }
}
