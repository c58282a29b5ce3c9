package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.api.EnqueueResult;
import dev.pawl.api.JobType;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Enqueues a job, or adds a number to the payload of the waiting job with the same unique key. */
record EnqueueMerged(List<Opt> options) implements Breakable {
    @Override
    public void on(Real real, Model model) {
        Request wanted = wanted();
        if (wanted == null) {
            return;
        }
        JobType<Integer> type = JobType.of(wanted.kind(), Integer.class);
        int payload = Integer.parseInt(wanted.payload());
        Spec holder = model.holderOf(wanted).map(model::job).orElse(null);
        EnqueueResult result;
        try {
            result = real.queue.enqueueMerged(type, payload, wanted.options(), Integer::sum);
        } catch (IllegalArgumentException refused) {
            boolean isUnreadable = holder != null && Secret.isSecret(holder.payload);
            same("merged jobs may have no key", true, wanted.options().key() != null || isUnreadable);
            return;
        }
        model.enqueue(merged(wanted, holder), result);
    }

    /** {@return null if this cannot be merged} */
    private @Nullable Request wanted() {
        return Request.of(options, 0, each -> each, 0)
                .filter(wanted -> wanted.unique() != null && !Secret.isSecret(wanted.payload()))
                .orElse(null);
    }

    private static Request merged(Request wanted, @Nullable Spec holder) {
        int payload = Integer.parseInt(wanted.payload());
        Request merged = holder == null || Secret.isSecret(holder.payload)
                ? wanted
                : wanted.payload(Integer.toString(Integer.parseInt(holder.payload) + payload));
        return merged.replacing();
    }

    @Override
    public List<Effect> effects(Real real, Model before, List<Real.Held> runs) {
        Request wanted = wanted();
        if (wanted == null) {
            return List.of();
        }
        Spec holder = before.holderOf(wanted).map(before::job).orElse(null);
        Stream<EnqueueResult> results = holder == null
                ? real.listed().keySet().stream()
                        .filter(id -> before.job(id) == null)
                        .map(EnqueueResult.Inserted::new)
                : Stream.of(new EnqueueResult.Replaced(holder.id));
        return results.<Effect>map(result -> model -> model.enqueue(merged(wanted, holder), result))
                .toList();
    }

    @Override
    public String toString() {
        return Op.call("enqueueMerged", options.toArray());
    }
}
