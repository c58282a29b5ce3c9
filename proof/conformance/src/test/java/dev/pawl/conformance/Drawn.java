package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test only if {@link Draw} chooses it. A build runs only some tests of a group, so that it does not take long; the seed decides
 * which. If the environment variable {@link #all} is {@code all}, all tests run.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DrawnCondition.class)
public @interface Drawn {
    /** {@return the test's index in the group, from 0} */
    int number();

    /** {@return the size of the group} */
    int of();

    /** {@return how many tests of the group run} */
    int run();

    /** {@return the environment variable that runs all tests if it is {@code all}} */
    String all();
}
