package dev.pawl.specification.faults;

import dev.pawl.Batch;
import dev.pawl.admin.BatchInfo;
import dev.pawl.admin.CancelResult;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.RetryResult;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.specification.Breakable;
import dev.pawl.specification.Edit;
import dev.pawl.specification.How;
import dev.pawl.specification.Model;
import dev.pawl.specification.Op;
import dev.pawl.specification.Real;
import dev.pawl.specification.Request;
import dev.pawl.specification.Spec;
import dev.pawl.specification.faults.FailedStep.Guess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * All possible effects of a step on the model, given what the database shows afterwards. Where a step consists of self-contained
 * transactions, such as the ends of several runs, any of these may have been committed.
 */
final class Guesses {
    private final Real real;
    private final Model model;
    private final List<Real.Held> runs;
    private final Map<Long, Job> listed;
    private final List<Guess> all = new ArrayList<>();

    Guesses(Real real, Model model, List<Real.Held> runs, Map<Long, Job> listed) {
        this.real = real;
        this.model = model;
        this.runs = runs;
        this.listed = listed;
    }

    List<Guess> of(Op step) {
        if (step instanceof Op.Enqueue enqueue) {
            enqueue.wanted(real, model).ifPresent(this::enqueued);
        } else if (step instanceof Op.Add add) {
            add.wanted(real).ifPresent(this::enqueued);
        } else if (step instanceof Op.EnqueueMany many) {
            manyEnqueued(many.jobs());
        } else if (step instanceof Op.OpenBatch open) {
            long parent = open.inner() ? model.batches.last() : 0;
            List<BatchInfo> batches = parent == 0
                    ? real.queue.batches(Long.MAX_VALUE, 20)
                    : real.queue.batch(parent).batches(20);
            batches.stream()
                    .map(BatchInfo::id)
                    .forEach(id -> all.add(
                            each -> each.batches.open(id, open.callbacks(), open.stops(), open.canary(), parent)));
        } else if (step instanceof Op.StartWorkflow start) {
            started(start);
        } else if (step instanceof Op.ChangeBatch change) {
            model.batches.at(change.batch()).ifPresent(id -> changed(change.change(), real.queue.batch(id)));
        } else if (step instanceof Op.Ends end) {
            Real.Held held = runs.get(end.run() % runs.size());
            ended(List.of(held), end.how());
            if (end.how() == How.COMPLETE_IN_TRANSACTION) {
                all.add(each -> each.conflict(held.run().job().id(), held.claim()));
            }
        } else if (step instanceof Op.CompleteAll) {
            ended(runs, How.COMPLETE);
        } else if (step instanceof Op.Renew renew) {
            Real.Held held = runs.get(renew.run() % runs.size());
            all.add(each -> each.renew(held.run().job().id(), held.claim(), true));
        } else if (step instanceof Op.One one) {
            one(one);
        } else if (step instanceof Op.ChangeAll change) {
            all.add(each -> each.people.changeAll(change.which(), change.change(), listed));
            all.add(each -> each.people.changeAll(
                    change.which(), change.change(), listed, job -> !model.isAsSeen(job.id, listed.get(job.id))));
        } else if (step == Op.Duty.RESCUE || step == Op.Duty.CRASH) {
            all.add(each -> each.rescue(real.worker, job -> !runsStill(job)));
        } else if (step == Op.Duty.PRUNE) {
            all.add(each -> each.prune(listed::containsKey));
        } else if (step instanceof Breakable breakable) {
            breakable.effects(real, model, runs).forEach(effect -> all.add(effect::on));
        }
        return all;
    }

    private boolean runsStill(Spec job) {
        Job seen = listed.get(job.id);
        return seen != null && seen.state() == JobState.RUNNING && seen.leaseToken() == job.token;
    }

    private List<Long> newIds() {
        return listed.keySet().stream()
                .filter(id -> model.job(id) == null)
                .sorted()
                .toList();
    }

    private void enqueued(Request wanted) {
        newIds().forEach(id -> all.add(each -> each.enqueue(wanted, new EnqueueResult.Inserted(id))));
        model.all()
                .filter(Spec::waits)
                .map(job -> job.id)
                .forEach(id -> all.add(each -> each.enqueue(wanted, new EnqueueResult.Replaced(id))));
    }

    private void manyEnqueued(int jobs) {
        List<Long> ids = newIds();
        if (ids.size() == jobs) {
            all.add(each -> ids.forEach(id -> each.enqueue(Op.EnqueueMany.EACH, new EnqueueResult.Inserted(id))));
        }
    }

    private void started(Op.StartWorkflow start) {
        real.queue.workflows(Long.MAX_VALUE, 1).forEach(workflow -> {
            List<Long> nodes = Op.StartWorkflow.nodes(real, workflow.id());
            List<List<Long>> jobs = Op.StartWorkflow.jobs(real, nodes);
            all.add(each -> each.batches.startWorkflow(start.shape(), workflow.id(), nodes, jobs));
        });
    }

    private void changed(Op.BatchChange change, Batch batch) {
        switch (change) {
            case SEAL -> all.add(each -> each.batches.seal(batch.id(), true));
            case PAUSE -> all.add(each -> each.batches.pause(batch.id()));
            case RESUME -> all.add(each -> each.batches.resume(batch.id(), true));
            case CANCEL ->
                all.add(each -> each.all()
                        .filter(job -> each.batches.isWithin(job.batch, batch.id()) && job.lives())
                        .toList()
                        .forEach(job -> cancelled(each, job)));
        }
    }

    private void cancelled(Model each, Spec job) {
        Job seen = listed.get(job.id);
        if (seen != null && job.waits() && seen.state() == JobState.CANCELLED) {
            each.people.cancel(job.id, CancelResult.CANCELLED);
        } else if (seen != null && job.runs() && seen.cancelRequested()) {
            each.people.cancel(job.id, CancelResult.REQUESTED);
        }
    }

    private void ended(List<Real.Held> some, How how) {
        all.add(each -> {
            for (Real.Held held : some) {
                long id = held.run().job().id();
                Spec job = each.job(id);
                if (job != null && each.isHeld(id, held.claim()) && !runsStill(job)) {
                    each.end(id, held.claim(), how, true);
                }
            }
        });
    }

    private void one(Op.One one) {
        OptionalLong place = model.place(one.job());
        if (place.isEmpty()) {
            return;
        }
        long id = place.getAsLong();
        switch (one.change()) {
            case CANCEL -> {
                all.add(each -> each.people.cancel(id, CancelResult.CANCELLED));
                all.add(each -> each.people.cancel(id, CancelResult.REQUESTED));
            }
            case RETRY -> all.add(each -> each.people.retry(id, RetryResult.AVAILABLE_NOW));
            case EDIT_PRIORITY -> all.add(each -> each.people.edit(id, Edit.PRIORITY, EditResult.CHANGED));
            case EDIT_PAYLOAD -> all.add(each -> each.people.edit(id, Edit.PAYLOAD, EditResult.CHANGED));
            case EDIT_LATER -> all.add(each -> each.people.edit(id, Edit.LATER, EditResult.CHANGED));
            case EDIT_NOW -> all.add(each -> each.people.edit(id, Edit.NOW, EditResult.CHANGED));
        }
    }
}
