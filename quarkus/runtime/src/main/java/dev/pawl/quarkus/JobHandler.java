package dev.pawl.quarkus;

import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method, neither private nor static, the handler of a kind of jobs. Its parameters are the payload and the {@link JobRun}, both
 * optional, in any order. It returns nothing, which completes the job, or an {@link Outcome}. Its class is a bean; without a scope it is a
 * singleton. A request context is active during the call.
 *
 * <p>The application does not start if a kind has two handlers, or if a {@link dev.pawl.api.JobType} differs from the handler of its kind:
 * in the payload, or in a queue or number of attempts that this annotation sets. A type is checked if it is a bean, the type of a {@link
 * dev.pawl.schedule.Schedule} bean, or a constant in the handler's class, a class around it or the payload's class. {@link
 * dev.pawl.api.JobHandler} documents repeated calls.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface JobHandler {
    /** {@return the kind: a stable name, never a class name} */
    String value();

    /** {@return the version of the payload, see {@link dev.pawl.api.JobType#version(int)}. Default 1} */
    int version() default 1;

    /**
     * {@return whether it runs in a transaction of Quarkus that also completes the job, so its writes and the completion commit together or
     * not at all} An exception, or an outcome other than completed, rolls back the handler's writes. The transaction is that of {@link
     * JobRun#transaction}, so a transactional handler must not call that method. Default false
     */
    boolean transactional() default false;

    /** {@return the maximum run time, such as {@code 30s} or {@code PT5M}. Default: no limit} */
    String timeout() default "";

    /** {@return how much of the worker's capacity a run takes, from 1 to the worker's concurrency. Default 1} */
    int weight() default 1;

    /**
     * {@return the queue of its jobs} The application's worker claims from it, unless a property or a {@link WorkerCustomizer} sets the
     * worker's queues. Default {@code default}
     */
    String queue() default "";

    /**
     * {@return how many attempts its jobs have, 1 to 32,767} A job gets its attempts from the {@link dev.pawl.api.JobType} with which it is
     * enqueued, which must have the number that is set here. Default 0: the type decides
     */
    int attempts() default 0;

    /**
     * {@return the name ({@code @Named}) of a bean of type {@link dev.pawl.api.RetryPolicy}, which chooses the delay after
     * a failed attempt. Default: the worker's policy}
     */
    String retryPolicy() default "";

    /**
     * {@return the maximum number of jobs in one call, 1 to 1,000} If this is set, the method takes a list of payloads, or a {@link
     * dev.pawl.api.Chunk}, and returns nothing; all jobs of a list complete or fail together. Not with {@link #transactional}. Default 0:
     * one job in a call, for methods with other parameters
     */
    int chunk() default 0;
}
