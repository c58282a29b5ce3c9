package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Pause;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit and its usage, as a line of a page.
 *
 * @param anchor of its row on the page of limits
 * @param name what is limited
 * @param used current usage
 * @param most the maximum; 0 if the usage is only a text
 * @param text the usage as text
 */
public record LimitUse(String anchor, String name, long used, long most, String text) {
    /** {@return whether there is a bar to draw} */
    public boolean isDrawn() {
        return most > 0;
    }

    /**
     * The limits of a subject without a row among the queues: a kind, or a queue without jobs.
     *
     * @param subject as text
     * @param uses its limits
     */
    public record Other(String subject, List<LimitUse> uses) {}

    /** {@return the limits of a queue and of its concurrency keys} */
    static List<LimitUse> of(QueueStats queue, List<LimitInfo> limits) {
        List<LimitUse> uses = new ArrayList<>();
        for (LimitInfo limit : limits) {
            if (isOf(limit, queue)) {
                uses.addAll(all(limit, queue));
            }
        }
        return uses;
    }

    /** {@return all limits that {@link #of} does not return} */
    static List<Other> others(List<QueueStats> queues, List<LimitInfo> limits) {
        return limits.stream()
                .filter(limit -> queues.stream().noneMatch(queue -> isOf(limit, queue)))
                .map(limit -> new Other(subject(limit.limit().subject()), all(limit, null)))
                .filter(other -> !other.uses.isEmpty())
                .toList();
    }

    private static boolean isOf(LimitInfo limit, QueueStats queue) {
        Subject subject = limit.limit().subject();
        return subject.of() != Subject.Of.KIND && subject.name().equals(queue.name());
    }

    private static String subject(Subject subject) {
        return subject.of() == Subject.Of.KEYS ? "keys of queue " + subject.name() : subject.toString();
    }

    /**
     * The usage of a queue is its running jobs. The usage of a kind is the permits allocated to workers, because runs are not counted by
     * kind.
     */
    private static List<LimitUse> all(LimitInfo info, @Nullable QueueStats queue) {
        Limit limit = info.limit();
        String anchor =
                "limit-" + limit.subject().of().word() + "-" + limit.subject().name();
        boolean ofKeys = limit.subject().of() == Subject.Of.KEYS;
        List<LimitUse> uses = new ArrayList<>();
        Integer atOnce = limit.atOnce();
        if (atOnce != null && ofKeys) {
            uses.add(textUse(anchor, "each key at once", Formats.number(atOnce)));
        } else if (atOnce != null) {
            uses.add(atOnce(anchor, info, atOnce, queue));
        }
        Integer together = limit.together();
        if (together != null) {
            uses.add(textUse(anchor, "all keys together", Formats.number(together)));
        }
        Rate rate = limit.rate();
        if (rate != null) {
            String text = Formats.number(rate.starts()) + " in " + Formats.length(rate.per());
            if (ofKeys && info.waiting() > 0) {
                text += ", " + Formats.count(info.waiting(), "key") + (info.waiting() == 1 ? " waits" : " wait");
            } else if (info.nextStart() != null) {
                text += ", used up, next start " + Formats.ago(info.nextStart());
            }
            uses.add(textUse(anchor, ofKeys ? "starts of each key" : "starts", text));
        }
        Integer maxWaiting = limit.maxWaiting();
        if (maxWaiting != null) {
            long waiting = queue == null ? 0 : queue.available() + queue.delayed() + queue.retrying();
            uses.add(of(
                    anchor, "waiting", waiting, maxWaiting, waiting >= Snapshots.MAX_COUNTED ? "at least " : "", ""));
        }
        Pause pause = info.pause();
        if (pause != null) {
            uses.add(textUse(
                    anchor,
                    "paused",
                    pause.expired() ? "being tried, one at a time" : "until " + Formats.time(pause.until())));
        }
        return uses;
    }

    /**
     * Shows no more running jobs than allocated permits, because the count of running jobs includes jobs claimed ahead, which wait in their
     * worker without a permit.
     */
    private static LimitUse atOnce(String anchor, LimitInfo info, int atOnce, @Nullable QueueStats queue) {
        String more = info.waiting() > 0
                ? ", " + Formats.count(info.waiting(), "worker") + (info.waiting() == 1 ? " wants more" : " want more")
                : "";
        return queue == null
                ? of(anchor, "at once", info.shared(), atOnce, "", " allocated" + more)
                : of(anchor, "at once", Math.min(queue.running(), info.shared()), atOnce, "", more);
    }

    private static LimitUse of(String anchor, String name, long used, long most, String before, String after) {
        return new LimitUse(
                anchor, name, used, most, before + Formats.number(used) + " of " + Formats.number(most) + after);
    }

    private static LimitUse textUse(String anchor, String name, String text) {
        return new LimitUse(anchor, name, 0, 0, text);
    }
}
