package dev.pawl.conformance.contract;

import dev.pawl.conformance.Dealt;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test of a strategy runs on MariaDB or on MySQL, which share a dialect. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Dealt(
        among = {MariaDbStrategyTest.class, MySqlStrategyTest.class},
        all = "PAWL_CONTRACTS")
@interface OneOfInnoDbStrategies {}
