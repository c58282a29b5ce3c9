package dev.pawl.spring;

import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Handles jobs of a kind. On a method of a bean: its parameters are the payload and the {@link JobRun}, either or both
 * or neither, in any order; it returns nothing, which completes the job, or an {@link Outcome}. On a bean that is a
 * {@link dev.pawl.api.JobHandler}, on its class or its {@code @Bean} method: sets its kind.
 *
 * <p>Two handlers of one kind fail the start of the application. {@link dev.pawl.api.JobHandler} documents repeated calls.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface JobHandler {
    /** {@return the kind: a stable name, never a class name; may contain <code>${…}</code>} */
    @AliasFor("kind")
    String value() default "";

    /** {@return the same} */
    @AliasFor("value")
    String kind() default "";

    /** {@return the version of the payload, see {@link dev.pawl.api.JobType#version(int)}. Default 1} */
    int version() default 1;

    /**
     * {@return whether it runs in a Spring transaction that also completes the job: both commit together, or neither}
     * An exception, or an outcome other than completed, rolls back the handler's writes. The transaction is that of
     * {@link JobRun#transaction}, so a transactional handler does not call that itself. Default false
     */
    boolean transactional() default false;

    /** {@return the maximum run time, such as {@code 30s} or {@code PT5M}; may contain <code>${…}</code>. Default: no limit} */
    String timeout() default "";

    /** {@return how much of the worker's capacity a run takes, 1 to its concurrency. Default 1} */
    int weight() default 1;
}
