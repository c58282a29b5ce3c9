package dev.pawl.spring;

import dev.pawl.schedule.Cron;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Enqueues a job periodically for a method with {@link JobHandler}, once at each tick in the whole cluster. The method
 * takes no payload; {@code JobRun.tick()} returns its tick. Set one of {@link #cron}, {@link #every} and
 * {@link #after}. For jobs with payloads, or with handlers in another program, declare a bean of type {@code Schedule}.
 *
 * <p>The value {@code -}, usually set by a property, means never. A schedule belongs to the whole cluster, so {@code -} removes it from the
 * database when the application's worker starts. Jobs of past ticks are kept. An application that still declares the schedule restores it
 * when its worker starts.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Recurring {
    /** {@return a cron expression, see {@link Cron}; may contain <code>${…}</code>; {@code -} for never} */
    String cron() default "";

    /** {@return its time zone, such as {@code Europe/Rome}; may contain <code>${…}</code>. Default UTC} */
    String zone() default "UTC";

    /** {@return the interval between ticks, such as {@code 5m} or {@code PT5M}; may contain <code>${…}</code>; {@code -} for never} */
    String every() default "";

    /** {@return the time from the end of a run to the next tick; may contain <code>${…}</code>; {@code -} for never} */
    String after() default "";

    /** {@return the name of the schedule in the database. Default: the kind} */
    String name() default "";

    /** {@return the queue of its jobs. Default: {@link JobHandler#queue}} */
    String queue() default "";

    /** {@return how to treat a tick while the last job has not ended. Default: it is skipped} */
    Overlap overlap() default Overlap.SKIP;

    /** {@return how many ticks that passed without a running worker are made up for, see {@link Missed}: 0 to 1,000. Default 1} */
    int missed() default 1;
}
