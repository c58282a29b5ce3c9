package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs only if drawn: each run covers some tests of a group, so that a few runs cover all and none takes all the time. {@link #all} in the
 * environment, with the value {@code all}, runs each.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DrawnCondition.class)
public @interface Drawn {
    /** {@return the test's index in the group, from 0} */
    int number();

    /** {@return the size of the group} */
    int of();

    /** {@return how many of them run} */
    int run();

    /** {@return the environment variable that runs all of them if it is {@code all}} */
    String all();
}
