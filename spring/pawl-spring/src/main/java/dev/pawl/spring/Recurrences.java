package dev.pawl.spring;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.TypeToken;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates schedules from {@link Recurring}. */
final class Recurrences {
    private final Texts texts;

    Recurrences(Texts texts) {
        this.texts = texts;
    }

    String name(Recurring recurring, JobType<?> type) {
        String name = texts.given(recurring.name());
        return name == null ? type.kind() : name;
    }

    /** Returns null if it is switched off. */
    @Nullable
    Schedule<?> schedule(Recurring recurring, JobType<Object> type) {
        if (!type.payloadType().equals(TypeToken.of(Void.class))) {
            throw new IllegalStateException(
                    "@Recurring does not know its payload: take no payload, or declare a bean of"
                            + " type Schedule, which has one");
        }
        String cron = texts.given(recurring.cron());
        String every = texts.given(recurring.every());
        String after = texts.given(recurring.after());
        if (Stream.of(cron, every, after).filter(text -> text != null).count() != 1) {
            throw new IllegalStateException("@Recurring needs one of cron, every and after");
        }
        if (Stream.of(cron, every, after).anyMatch(text -> text != null && Texts.isNever(text))) {
            return null;
        }
        Recurrence recurrence;
        if (cron != null) {
            recurrence = Recurrence.cron(cron, zone(texts.resolved(recurring.zone())));
        } else if (every != null) {
            recurrence = Recurrence.every(Texts.duration(every));
        } else {
            recurrence = Recurrence.after(Texts.duration(texts.resolved(recurring.after())));
        }
        String queue = texts.given(recurring.queue());
        EnqueueOptions options =
                queue == null ? type.defaults() : type.defaults().queue(queue);
        return withoutPayload(name(recurring, type), type, recurrence)
                .options(options)
                .overlap(recurring.overlap())
                .missed(new Missed(recurring.missed()));
    }

    @SuppressWarnings("NullAway") // the only value of Void
    private static Schedule<Object> withoutPayload(String name, JobType<Object> type, Recurrence recurrence) {
        return Schedule.of(name, type, null, recurrence);
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new IllegalStateException("'" + name + "' is not a time zone: use one such as Europe/Rome", e);
        }
    }
}
