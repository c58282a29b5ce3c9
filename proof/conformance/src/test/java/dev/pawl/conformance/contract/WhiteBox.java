package dev.pawl.conformance.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks tests that use internal types of the library, such as its ports, and change with them. Tests without this mark use the API, SQL and
 * the shorthands of {@link Fixture}: they state what users rely on, and stay as they are when the library is rebuilt. The programs of the
 * specification use the API, too, so in the quick tier a test without this mark runs on one database.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface WhiteBox {}
