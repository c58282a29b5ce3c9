package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of a strategy that runs on one of the two. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {
            SqliteStrategyTest.class,
            PostgresStrategyTest.class,
            MariaDbStrategyTest.class,
            MySqlStrategyTest.class
        },
        all = "PAWL_CONTRACTS")
@interface OneOfStrategies {}
