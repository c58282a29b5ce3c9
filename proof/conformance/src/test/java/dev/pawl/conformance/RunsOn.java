package dev.pawl.conformance;

import dev.pawl.servers.Product;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test that skips itself on other databases, so that the quick tier deals it to these; {@code QuickTierTest} checks that it is there. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RunsOn {
    /** {@return the databases} */
    Product[] value();
}
