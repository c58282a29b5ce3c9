package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.QueueStats;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.limit.Hold;
import dev.pawl.limit.Limit;
import dev.pawl.limit.LimitInfo;
import dev.pawl.limit.Rate;
import dev.pawl.limit.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit and how much of it is used now, as a line of a page.
 *
 * @param anchor of its row on the page of limits
 * @param name what is limited
 * @param used how much of it is used
 * @param most how much may be; 0 where that is not a number
 * @param text the same in words
 */
public record LimitUse(String anchor, String name, long used, long most, String text) {
    /** {@return whether there is something to draw} */
    public boolean isDrawn() {
        return most > 0;
    }

    /**
     * What limits a subject that has no row among the queues: a kind, or a queue without jobs.
     *
     * @param subject in words
     * @param uses its limits
     */
    public record Other(String subject, List<LimitUse> uses) {}

    /** {@return those of a queue and of its keys} */
    static List<LimitUse> of(QueueStats queue, List<LimitInfo> limits) {
        List<LimitUse> uses = new ArrayList<>();
        for (LimitInfo limit : limits) {
            if (isOf(limit, queue)) {
                uses.addAll(all(limit, queue));
            }
        }
        return uses;
    }

    /** {@return all that {@link #of} does not tell} */
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

    /** Of a queue, what runs; of a kind, what is dealt out to workers: nobody counts the runs of a kind. */
    private static List<LimitUse> all(LimitInfo info, @Nullable QueueStats queue) {
        Limit limit = info.limit();
        String anchor =
                "limit-" + limit.subject().of().word() + "-" + limit.subject().name();
        boolean ofKeys = limit.subject().of() == Subject.Of.KEYS;
        List<LimitUse> uses = new ArrayList<>();
        Integer atOnce = limit.atOnce();
        if (atOnce != null && ofKeys) {
            uses.add(told(anchor, "each key at once", Words.number(atOnce)));
        } else if (atOnce != null) {
            uses.add(atOnce(anchor, info, atOnce, queue));
        }
        Integer together = limit.together();
        if (together != null) {
            uses.add(told(anchor, "all keys together", Words.number(together)));
        }
        Rate rate = limit.rate();
        if (rate != null) {
            String text = Words.number(rate.starts()) + " in " + Words.length(rate.per());
            if (ofKeys && info.waiting() > 0) {
                text += ", " + Words.count(info.waiting(), "key") + (info.waiting() == 1 ? " waits" : " wait");
            } else if (info.nextStart() != null) {
                text += ", used up, next start " + Words.ago(info.nextStart());
            }
            uses.add(told(anchor, ofKeys ? "starts of each key" : "starts", text));
        }
        Integer maxWaiting = limit.maxWaiting();
        if (maxWaiting != null) {
            long waiting = queue == null ? 0 : queue.available() + queue.delayed() + queue.retrying();
            uses.add(of(anchor, "waiting", waiting, maxWaiting, waiting >= Looks.MOST_COUNTED ? "at least " : "", ""));
        }
        Hold hold = info.hold();
        if (hold != null) {
            uses.add(told(anchor, "held back", "until " + Words.time(hold.until())));
        }
        return uses;
    }

    /** What is claimed ahead waits in its worker and uses nothing: no more run than have been dealt a place. */
    private static LimitUse atOnce(String anchor, LimitInfo info, int atOnce, @Nullable QueueStats queue) {
        String more = info.waiting() > 0
                ? ", " + Words.count(info.waiting(), "worker") + (info.waiting() == 1 ? " wants more" : " want more")
                : "";
        return queue == null
                ? of(anchor, "at once", info.shared(), atOnce, "", " dealt out" + more)
                : of(anchor, "at once", Math.min(queue.running(), info.shared()), atOnce, "", more);
    }

    private static LimitUse of(String anchor, String name, long used, long most, String before, String after) {
        return new LimitUse(
                anchor, name, used, most, before + Words.number(used) + " of " + Words.number(most) + after);
    }

    private static LimitUse told(String anchor, String name, String text) {
        return new LimitUse(anchor, name, 0, 0, text);
    }
}
