package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several classes share the same tests, and each test runs in one of them, chosen by the seed: over a few runs every test has run in every
 * class, and each run covers every test. A test that only one class has always runs. A test of a contract that is {@link Specified} runs on
 * the databases of one family in each run. {@link #all} in the environment, with the value {@code all}, runs each test in each class.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DealtCondition.class)
public @interface Dealt {
    /** {@return the classes, including the annotated one; a class that the environment disables gets no test} */
    Class<?>[] among();

    /** {@return the databases of the classes} */
    Family family() default Family.MIXED;

    /** {@return the environment variable that runs all of them if it is {@code all}} */
    String all();

    /** Databases that share a dialect. */
    enum Family {
        SQLITE,
        POSTGRESQL,
        INNODB,
        /** Classes of several databases. */
        MIXED
    }
}
