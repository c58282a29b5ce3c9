package dev.pawl.conformance;

import dev.pawl.servers.Product;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test that skips itself on all databases but the named ones, so that the quick tier runs it on these. {@code QuickTierTest} finds
 * tests that lack the mark.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RunsOn {
    /** {@return the databases} */
    Product[] value();
}
