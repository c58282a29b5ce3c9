package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Rows read are counted on MariaDB or MySQL, which share a dialect. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {MariaDbRowsReadTest.class, MySqlRowsReadTest.class},
        all = "PAWL_CONTRACTS")
@interface OneOfInnoDbRowsRead {}
