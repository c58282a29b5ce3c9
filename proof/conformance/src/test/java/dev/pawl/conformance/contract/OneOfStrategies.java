package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A third of the tests of each strategy, on one database each. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {
            SqliteStrategyTest.class,
            PostgresStrategyTest.class,
            MariaDbStrategyTest.class,
            MySqlStrategyTest.class
        },
        oneOf = 3,
        all = "PAWL_CONTRACTS")
@interface OneOfStrategies {}
