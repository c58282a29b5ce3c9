package dev.pawl.conformance;

import dev.pawl.servers.Product;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test that skips itself on other databases, so that the quick tier gives it to these; {@code QuickTierTest} finds a missing mark.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RunsOn {
    /** {@return the databases} */
    Product[] value();
}
