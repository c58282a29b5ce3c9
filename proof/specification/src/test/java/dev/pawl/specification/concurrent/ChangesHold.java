package dev.pawl.specification.concurrent;

import dev.pawl.api.Job;
import dev.pawl.specification.concurrent.History.Attribute;
import dev.pawl.specification.concurrent.History.Enqueued;
import dev.pawl.specification.concurrent.History.Run;
import dev.pawl.specification.concurrent.History.Written;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Each run whose outcome counts, and each job in the end, has the values that were written last: payload, priority, queue. Any of several
 * overlapping changes may have been the last one.
 */
final class ChangesHold implements Promise {
    private record Place(long job, Attribute attribute) {}

    @Override
    public List<String> brokenBy(History history) {
        Map<Place, List<Written>> all = new HashMap<>();
        history.written.forEach(each -> add(all, each));
        for (Enqueued enqueue : history.enqueued) {
            History.inserted(enqueue).ifPresent(job -> {
                add(all, new Written(enqueue.span(), job, Attribute.PAYLOAD, Integer.toString(enqueue.marker())));
                String priority = Integer.toString(enqueue.options().priority());
                add(all, new Written(enqueue.span(), job, Attribute.PRIORITY, priority));
                add(
                        all,
                        new Written(
                                enqueue.span(),
                                job,
                                Attribute.QUEUE,
                                enqueue.options().queue()));
            });
        }
        List<String> broken = new ArrayList<>();
        for (Run run : history.accepted()) {
            check("the run " + run.lease(), run.job(), run.span(), all, broken);
        }
        Span end = new Span(Long.MAX_VALUE, Long.MAX_VALUE);
        history.last.values().forEach(job -> check("in the end job " + job.id(), job, end, all, broken));
        return broken;
    }

    private static void add(Map<Place, List<Written>> all, Written written) {
        all.computeIfAbsent(new Place(written.job(), written.attribute()), any -> new ArrayList<>())
                .add(written);
    }

    private static void check(String what, Job job, Span span, Map<Place, List<Written>> all, List<String> broken) {
        for (Attribute attribute : Attribute.values()) {
            List<Written> written = all.get(new Place(job.id(), attribute));
            if (written != null && !isAllowed(attribute.of(job), span, written)) {
                broken.add(what + " has the " + attribute + " " + attribute.of(job) + ", and there was written "
                        + written);
            }
        }
    }

    private static boolean isAllowed(String value, Span span, List<Written> written) {
        return written.stream()
                .filter(each -> each.value().equals(value) && each.span().from() <= span.to())
                .anyMatch(each -> written.stream()
                        .noneMatch(later -> each.span().isBefore(later.span())
                                && later.span().isBefore(span)));
    }
}
