package dev.pawl.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a contract that the specification covers, with random programs on every database in each build. So each test of the contract runs
 * on one database in the quick tier, and on all of them with {@code PAWL_CONTRACTS=all}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Specified {}
