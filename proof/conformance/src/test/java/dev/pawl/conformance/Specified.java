package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a contract whose promises the specification checks, too, with random programs on every database in each build. So the quick tier
 * runs each test of the contract on one database; {@code PAWL_CONTRACTS=all} runs it on all databases.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Specified {}
