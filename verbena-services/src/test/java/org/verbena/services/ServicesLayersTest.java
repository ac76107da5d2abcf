package org.verbena.services;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.verbena.services.lan.UnitDriver;

/** The arrows between the packages of the services point downwards only; time, threads and sockets have few sources. */
final class ServicesLayersTest {
    private static JavaClasses services() throws URISyntaxException {
        Path classes = Path.of(UnitDriver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return new ClassFileImporter().importPath(classes);
    }

    @Test
    void thereAreClasses() throws URISyntaxException {
        assertTrue(services().size() > 50, "found " + services().size() + " classes");
    }

    @Test
    void aPackageKnowsOnlyThoseBelowIt() throws URISyntaxException {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("lan")
                .definedBy("org.verbena.services.lan")
                .layer("lan.wire")
                .definedBy("org.verbena.services.lan.wire")
                .layer("ethernet")
                .definedBy("org.verbena.services.ethernet")
                .layer("push")
                .definedBy("org.verbena.services.push")
                .layer("push.wire")
                .definedBy("org.verbena.services.push.wire")
                .whereLayer("lan")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("lan.wire")
                .mayOnlyBeAccessedByLayers("lan")
                .whereLayer("ethernet")
                .mayOnlyBeAccessedByLayers("lan", "lan.wire")
                .whereLayer("push")
                .mayOnlyBeAccessedByLayers("lan", "lan.wire")
                .whereLayer("push.wire")
                .mayOnlyBeAccessedByLayers("push")
                .check(services());
    }

    @Test
    void everyPackageHasItsLayer() throws URISyntaxException {
        classes()
                .should()
                .resideInAnyPackage(
                        "org.verbena.services.lan",
                        "org.verbena.services.lan.wire",
                        "org.verbena.services.ethernet",
                        "org.verbena.services.push",
                        "org.verbena.services.push.wire")
                .check(services());
    }

    @Test
    void timeComesFromTheLibrary() throws URISyntaxException {
        noClasses().should().callMethod(System.class, "nanoTime").check(services());
        noClasses().should().callMethod(System.class, "currentTimeMillis").check(services());
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.random")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .check(services());
    }

    @Test
    void onlyTheLoopOfADriverStartsAThread() throws URISyntaxException {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("org.verbena.services.lan.DriverLoop")
                .should()
                .callMethod(Thread.class, "ofPlatform")
                .orShould()
                .callMethod(Thread.class, "startVirtualThread", Runnable.class)
                .check(services());
    }

    @Test
    void filesAndSocketsAreOpenedByTheLibrary() throws URISyntaxException {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.io", "java.nio.file", "java.nio.channels")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.net\\.(Datagram|Server|Multicast)?Socket")
                .check(services());
    }
}
