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
 * Enqueues a job for a method with {@link JobHandler}, again and again, once at each tick in the whole cluster. The method takes
 * no payload; {@code JobRun.tick()} tells it which tick it is for. Give one of {@link #cron}, {@link #every} and {@link #after}.
 * For jobs with payloads, or handled elsewhere, declare a bean of type {@code Schedule}.
 *
 * <p>A schedule belongs to the whole cluster, so {@code -} for never, mostly by a property, removes it from the database when the
 * application's worker starts. Jobs of ticks that have passed stay. An application that declares it brings it back when it starts.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Recurring {
    /** {@return by the clock, see {@link Cron}; may hold <code>${…}</code>; {@code -} for never} */
    String cron() default "";

    /** {@return of which clock, such as {@code Europe/Rome}; may hold <code>${…}</code>. Default UTC} */
    String zone() default "UTC";

    /** {@return from one tick to the next, such as {@code 5m} or {@code PT5M}; may hold <code>${…}</code>; {@code -} for never} */
    String every() default "";

    /** {@return from the end of a run to the next tick; may hold <code>${…}</code>; {@code -} for never} */
    String after() default "";

    /** {@return by which the schedule is known in the database. Default: the kind} */
    String name() default "";

    /** {@return the queue of its jobs. Default {@code default}} */
    String queue() default "";

    /** {@return what happens to a tick while the last job has not ended. Default: it is left out} */
    Overlap overlap() default Overlap.SKIP;

    /** {@return how many ticks that passed while no worker was there are made up for, see {@link Missed}: 0 to 1,000. Default 1} */
    int missed() default 1;
}
