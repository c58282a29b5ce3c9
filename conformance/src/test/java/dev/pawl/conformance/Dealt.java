package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several classes have the same tests, and each test runs in one of them: in another one with another seed, so that in a few runs
 * every test is tried in every class, and each time every test is tried. A test that only one of them has runs each time. A test of a contract
 * that is {@link Specified} runs on the databases of one family each time. {@link #all} in
 * the environment, with the value {@code all}, runs each test in each class.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DealtCondition.class)
public @interface Dealt {
    /** {@return the classes, with the one that has this annotation; one that the environment disables gets no test} */
    Class<?>[] among();

    /** {@return the databases of the classes} */
    Family family() default Family.MIXED;

    /** {@return the variable of the environment that, being {@code all}, runs all of them} */
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
