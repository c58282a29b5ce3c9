package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Several classes have the same tests, and each test runs in one of them: in another one the next time, so that in a few runs
 * every test is tried in every class, and each time every test is tried. {@link #all} in the environment, with the value
 * {@code all}, runs them in each.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(DealtCondition.class)
public @interface Dealt {
    /** {@return which of the classes this is, from 0} */
    int number();

    /** {@return how many there are} */
    int of();

    /** {@return the variable of the environment without which only this class can run, so it gets all of the tests; empty for none} */
    String others() default "";

    /** {@return the variable of the environment that, being {@code all}, runs all of them} */
    String all();
}
