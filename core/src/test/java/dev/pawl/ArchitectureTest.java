package dev.pawl;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter(java.util.List.of(new ImportOption.DoNotIncludeTests())).importPackages("dev.pawl");

    @Test
    void storesDoNotKnowTheEngine() {
        noClasses()
                .that()
                .resideInAPackage("..internal.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..internal.engine..", "..internal.wake..")
                .check(CLASSES);
    }

    @Test
    void theEngineKnowsNoParticularDatabase() {
        noClasses()
                .that()
                .resideInAPackage("..internal.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..store.postgres..", "..store.mysql..", "..store.sqlite..", "org.postgresql..")
                .check(CLASSES);
    }

    @Test
    void databasesDoNotKnowEachOther() {
        slices().matching("..internal.store.(postgres|mysql|sqlite)..")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void onlyThePostgresPartsKnowItsDriver() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..store.postgres..", "..internal.wake..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.postgresql..")
                .check(CLASSES);
    }

    @Test
    void theApiShowsNothingInternalToItsUsers() {
        classes()
                .that()
                .resideInAPackage("dev.pawl")
                .and()
                .areInterfaces()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.pawl", "java..", "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void nothingSleepsOrReadsTheClockOfTheJvm() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(CLASSES);
    }
}
