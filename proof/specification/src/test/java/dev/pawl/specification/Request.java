package dev.pawl.specification;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.UniqueWhile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A job to be enqueued, as its options say. */
public record Request(String kind, String payload, EnqueueOptions options, long batch, long member) {
    /** {@return the meaning of a list of options; empty if the combination is refused} */
    static Optional<Request> of(List<Opt> list, long batch, UnaryOperator<EnqueueOptions> inBatch, long member) {
        EnqueueOptions options = EnqueueOptions.DEFAULTS;
        try {
            for (Opt opt : list) {
                options = opt.on(options);
            }
            if (batch != 0) {
                options = inBatch.apply(options);
            }
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
        boolean isForged = list.stream().anyMatch(Opt.FORGED_MOMENTS::contains)
                || (batch != 0 && member == 0 && list.contains(Opt.FORGED_MEMBER));
        Difference.require(
                !isForged,
                "headers that only the library may use, or moments outside the allowed range, are accepted: %s",
                list);
        if (options.uniqueKey() == null && options.onDuplicate() == OnDuplicate.REPLACE) {
            return Optional.empty();
        }
        return Optional.of(new Request(
                list.contains(Opt.KIND_B) ? "kb" : "ka",
                list.contains(Opt.SECRET) ? Secret.PAYLOAD : list.contains(Opt.PAYLOAD_2) ? "2" : "1",
                options,
                batch,
                member));
    }

    Request payload(String other) {
        return new Request(kind, other, options, batch, member);
    }

    /** {@return the same request, replacing a waiting job} */
    Request replacing() {
        return new Request(kind, payload, options.onDuplicate(OnDuplicate.REPLACE), batch, member);
    }

    @Nullable
    String unique() {
        return options.uniqueKey();
    }

    UniqueWhile scope() {
        return options.uniqueWhile();
    }

    boolean replace() {
        return options.onDuplicate() == OnDuplicate.REPLACE;
    }

    /** Applies all options. A replaced job keeps none of its old options. */
    void writeTo(Spec job, Instant now) {
        job.queue = options.queue();
        job.priority = options.priority();
        job.maxAttempts = options.maxAttempts();
        job.payload = payload;
        job.tags = options.tags();
        job.key = options.key();
        job.unique = options.uniqueKey();
        job.scope = options.uniqueWhile();
        Duration time = options.uniqueFor();
        job.uniqueUntil = time == null ? null : now.plus(time);
        job.cost = options.cost();
        Duration expires = options.expiresIn();
        job.expires = expires == null ? null : now.plus(expires);
        String retry = options.headers().get("pawl-retry");
        job.retry = retry == null ? null : Duration.parse(retry);
        Instant at = options.availableAt();
        job.due = at == null ? now.plus(options.delay()) : at;
        job.dueUntil = null;
        job.blocked = job.key != null;
        job.batch = batch;
    }
}
