package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.EnqueueResult;
import dev.pawl.InvalidJobException;
import dev.pawl.JobType;
import java.util.List;

/** A job, or one number more for the one that waits with its unique key. */
record EnqueueMerged(List<Opt> options) implements Op {
    @Override
    public void on(Real real, Model model) {
        Request wanted = Request.of(options, 0, each -> each, 0).orElse(null);
        if (wanted == null || wanted.unique() == null || Secret.isSecret(wanted.payload())) {
            return;
        }
        JobType<Integer> type = JobType.of(wanted.kind(), Integer.class);
        int payload = Integer.parseInt(wanted.payload());
        Spec holder = model.holderOf(wanted).map(model::job).orElse(null);
        EnqueueResult result;
        try {
            result = real.queue.enqueueMerged(type, payload, wanted.options(), Integer::sum);
        } catch (InvalidJobException refused) {
            boolean isUnreadable = holder != null && Secret.isSecret(holder.payload);
            same("merged jobs may have no key", true, wanted.options().key() != null || isUnreadable);
            return;
        }
        Request merged = holder == null || Secret.isSecret(holder.payload)
                ? wanted
                : wanted.payload(Integer.toString(Integer.parseInt(holder.payload) + payload));
        model.enqueue(merged.replacing(), result);
    }

    @Override
    public String toString() {
        return Op.call("enqueueMerged", options.toArray());
    }
}
