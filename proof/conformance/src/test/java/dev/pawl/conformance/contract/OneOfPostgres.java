package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import dev.pawl.servers.Product;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test that runs on PostgreSQL: with rows, in tuned tables or not, with lanes, or with another default schema. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {
            PostgresTunedConformanceTest.class,
            PostgresConformanceTest.class,
            PostgresLanesTest.class,
            PostgresAwayTest.class
        },
        product = Product.POSTGRESQL,
        databases = {OneOfSqlite.class, OneOfMariaDb.class, OneOfPostgres.class, OneOfMySql.class},
        all = "PAWL_CONTRACTS")
@interface OneOfPostgres {}
