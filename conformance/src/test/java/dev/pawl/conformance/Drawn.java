package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs only where it is drawn: some of the tests of a group each time, others the next, so that in a few runs all are tried
 * and none of them takes all the time. {@link #all} in the environment, with the value {@code all}, runs each.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DrawnCondition.class)
public @interface Drawn {
    /** {@return which of the group this is, from 0} */
    int number();

    /** {@return how many there are in the group} */
    int of();

    /** {@return how many of them run} */
    int run();

    /** {@return the variable of the environment that, being {@code all}, runs all of them} */
    String all();
}
