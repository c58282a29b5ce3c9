package dev.pawl.conformance.contract;

import dev.pawl.conformance.DistributedTests;
import dev.pawl.servers.Product;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A test that runs on MariaDB, with rows or with lanes. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DistributedTests(
        among = {MariaDbConformanceTest.class, MariaDbLanesTest.class},
        product = Product.MARIADB,
        databases = {OneOfSqlite.class, OneOfMariaDb.class, OneOfPostgres.class, OneOfMySql.class},
        all = "PAWL_CONTRACTS")
@interface OneOfMariaDb {}
