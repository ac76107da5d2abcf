package org.verbena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The names that {@code import module org.verbena;} imports, and the types that they make a consumer use. */
final class ExportsTest {
    private static final String OWN = "org.verbena.";
    private static final ModuleReference LIBRARY =
            ModuleFinder.of(ChildJvm.library()).find("org.verbena").orElseThrow();

    /** A module import imports these too: java.base by the language, the others by {@code requires transitive}. */
    private static final List<String> IMPORTED_WITH_IT = List.of("java.base", "jdk.jfr");

    /** The word of the standard. First programs use {@code Adapter.defaultDomain()} without naming it; others import it by name. */
    private static final Set<String> WORDS_OF_THE_STANDARD = Set.of("ProtectionDomain");

    @Test
    void noExportedNameIsThatOfAnotherExportedType() {
        Map<String, Set<String>> places = new TreeMap<>();
        exportedTypes(LIBRARY)
                .forEach(type -> places.computeIfAbsent(type.getSimpleName(), _ -> new TreeSet<>())
                        .add(type.getName()));
        places.values().removeIf(names -> names.size() == 1);
        assertEquals(Map.of(), places);
    }

    @Test
    void noExportedNameIsThatOfATypeOfTheJdkThatIsImportedWithIt() {
        Map<String, String> theirs = IMPORTED_WITH_IT.stream()
                .flatMap(
                        name -> exportedTypes(ModuleFinder.ofSystem().find(name).orElseThrow()))
                .collect(Collectors.toMap(Class::getSimpleName, Class::getName, (one, _) -> one));
        assertTrue(theirs.size() > 1000, "few types found: " + theirs.size());
        assertEquals(
                List.of(),
                exportedTypes(LIBRARY)
                        .filter(type -> theirs.containsKey(type.getSimpleName()))
                        .filter(type -> !WORDS_OF_THE_STANDARD.contains(type.getSimpleName()))
                        .map(type -> type.getName() + " and " + theirs.get(type.getSimpleName()))
                        .sorted()
                        .toList());
    }

    @Test
    void theModulesThatAreImportedWithItAreKnown() {
        Set<String> transitive = LIBRARY.descriptor().requires().stream()
                .filter(requires -> requires.modifiers().contains(ModuleDescriptor.Requires.Modifier.TRANSITIVE))
                .map(ModuleDescriptor.Requires::name)
                .collect(Collectors.toSet());
        transitive.add("java.base");
        assertEquals(new HashSet<>(IMPORTED_WITH_IT), transitive);
    }

    /** In place of javac's lint "exports", which also asks for {@code requires transitive} of the annotations of JSpecify. */
    @Test
    void noExportedTypeNamesOneThatConsumersCannotName() {
        Set<String> packages = exportedPackages(LIBRARY.descriptor());
        assertEquals(
                List.of(),
                exportedTypes(LIBRARY)
                        .flatMap(ExportsTest::withMembers)
                        .flatMap(type -> namedBy(type)
                                .filter(named -> named.getName().startsWith(OWN)
                                        && !(packages.contains(named.getPackageName()) && isVisible(named)))
                                .map(named -> type.getName() + " names " + named.getName()))
                        .distinct()
                        .sorted()
                        .toList());
    }

    private static Stream<Class<?>> withMembers(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Stream.of(type.getDeclaredClasses())
                        .filter(ExportsTest::isVisible)
                        .flatMap(ExportsTest::withMembers));
    }

    private static boolean isVisible(Class<?> type) {
        boolean visible = isVisible(type.getModifiers());
        return visible && (type.getDeclaringClass() == null || isVisible(type.getDeclaringClass()));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    /** The types in the signatures of a type's public and protected members, and those it extends. */
    private static Stream<Class<?>> namedBy(Class<?> type) {
        Set<Type> types = new HashSet<>();
        if (type.getGenericSuperclass() != null) {
            types.add(type.getGenericSuperclass());
        }
        types.addAll(List.of(type.getGenericInterfaces()));
        Stream.concat(Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .forEach(member -> addTypes(member, types));
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers())) {
                types.add(field.getGenericType());
            }
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                types.add(component.getGenericType());
            }
        }
        return types.stream().flatMap(ExportsTest::classesOf);
    }

    private static void addTypes(Executable member, Set<Type> types) {
        types.addAll(List.of(member.getGenericParameterTypes()));
        types.addAll(List.of(member.getGenericExceptionTypes()));
        if (member instanceof java.lang.reflect.Method method) {
            types.add(method.getGenericReturnType());
        }
    }

    private static Stream<Class<?>> classesOf(Type type) {
        return switch (type) {
            case Class<?> raw -> raw.isArray() ? classesOf(raw.getComponentType()) : Stream.of(raw);
            case ParameterizedType made ->
                Stream.concat(
                        classesOf(made.getRawType()),
                        Stream.of(made.getActualTypeArguments()).flatMap(ExportsTest::classesOf));
            case GenericArrayType array -> classesOf(array.getGenericComponentType());
            case WildcardType wild ->
                Stream.concat(Stream.of(wild.getUpperBounds()), Stream.of(wild.getLowerBounds()))
                        .flatMap(ExportsTest::classesOf);
            case TypeVariable<?> _ -> Stream.of();
            default -> throw new AssertionError(type);
        };
    }

    /** Packages that are exported to all modules. */
    private static Set<String> exportedPackages(ModuleDescriptor module) {
        return module.exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }

    /** The public types, those inside others not counted, of the packages that a module exports to all. */
    private static Stream<Class<?>> exportedTypes(ModuleReference module) {
        Set<String> packages = exportedPackages(module.descriptor());
        try (ModuleReader reader = module.open()) {
            List<String> files = reader.list().toList();
            return files.stream()
                    .filter(file -> file.endsWith(".class") && !file.contains("$") && !file.contains("-info"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> name.contains(".") && packages.contains(name.substring(0, name.lastIndexOf('.'))))
                    .<Class<?>>map(ExportsTest::load)
                    .filter(type -> Modifier.isPublic(type.getModifiers()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ExportsTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
