package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Tests of interrupted operations, which run on one database, mostly SQLite. The specification interrupts calls of generated programs on
 * every database.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class,
            SqliteFailingCallsTest.class,
            PostgresFailingCallsTest.class, // with a recount of late jobs, which SQLite does not need
            SqliteFailingCallsTest.class,
            MariaDbFailingCallsTest.class, // for the same reason
            SqliteFailingCallsTest.class
        },
        all = "PAWL_CALLS")
@interface OneOfFailingCalls {}
