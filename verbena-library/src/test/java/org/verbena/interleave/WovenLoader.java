package org.verbena.interleave;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Loads Verbena's classes once more, those of one part woven: before each atomic operation and each use of a volatile field they
 * call {@link Seam#point}, and their locks, pauses, copies and threads are those of {@link Seam}. The product itself has no seams.
 */
public final class WovenLoader extends ClassLoader {
    private static final String VERBENA = "org.verbena.";
    private static final ClassDesc SEAM = ClassDesc.of("org.verbena.interleave.Seam");
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);
    private static final MethodTypeDesc OBJECT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    private static final ClassDesc LOCK = ClassDesc.of("java.util.concurrent.locks.ReentrantLock");
    private static final ClassDesc LINKED_MAP = ClassDesc.of("java.util.LinkedHashMap");
    private static final ClassDesc LINKED_SET = ClassDesc.of("java.util.LinkedHashSet");

    private final ClassLoader parent;
    private final Set<String> packages;
    private final Map<String, Set<String>> volatiles = new HashMap<>();
    /** Points in the classes loaded so far, by package: those of woven packages and those left out. */
    private final Map<String, Integer> woven = new TreeMap<>();

    private final Map<String, Integer> unwoven = new TreeMap<>();
    private int points;
    private final ClassFile classFile;

    static {
        registerAsParallelCapable();
    }

    /** Weaves the classes of these packages. */
    public WovenLoader(Class<?> caller, Set<String> packages) {
        super(caller.getClassLoader());
        this.parent = caller.getClassLoader();
        this.packages = packages;
        this.classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(parent).orElse(ClassHierarchyResolver.defaultResolver())));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(VERBENA)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] bytes = read(name.replace('.', '/'));
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] loaded = weaveIfWanted(name.substring(0, name.lastIndexOf('.')), bytes);
            return defineClass(name, loaded, 0, loaded.length);
        }
    }

    private synchronized byte[] weaveIfWanted(String packageName, byte[] bytes) {
        points = 0;
        byte[] made = weave(bytes);
        boolean wanted = packages.contains(packageName);
        if (points > 0) {
            (wanted ? woven : unwoven).merge(packageName, points, Integer::sum);
        }
        return wanted ? made : bytes;
    }

    /** Points woven so far, by package. */
    public synchronized Map<String, Integer> woven() {
        return Map.copyOf(woven);
    }

    /** Points in loaded classes of packages that are not woven. */
    public synchronized Map<String, Integer> unwoven() {
        return Map.copyOf(unwoven);
    }

    private byte @Nullable [] read(String internalName) {
        try (InputStream in = parent.getResourceAsStream(internalName + ".class")) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] weave(byte[] bytes) {
        ClassModel model = classFile.parse(bytes);
        String name = model.thisClass().asInternalName();
        CodeTransform transform = (builder, element) -> weave(name, builder, element);
        return classFile.transformClass(model, (builder, element) -> {
            if (element instanceof MethodModel method && method.code().isPresent()) {
                weaveMethod(builder, method, transform);
            } else {
                builder.with(element);
            }
        });
    }

    private static void weaveMethod(ClassBuilder builder, MethodModel method, CodeTransform transform) {
        boolean alone = method.flags().has(AccessFlag.SYNCHRONIZED);
        int flags = method.flags().flagsMask() & ~AccessFlag.SYNCHRONIZED.mask();
        builder.withMethod(method.methodName(), method.methodType(), flags, made -> {
            for (MethodElement element : method) {
                if (element instanceof CodeModel code) {
                    made.transformCode(code, alone ? transform.andThen(new Alone()) : transform);
                } else if (!(element instanceof AccessFlags)) {
                    made.with(element);
                }
            }
        });
    }

    /** Nobody else goes on during what was a synchronized method. */
    private static final class Alone implements CodeTransform {
        @Override
        public void atStart(CodeBuilder builder) {
            builder.aconst_null();
            builder.invokestatic(SEAM, "enter", OBJECT);
        }

        @Override
        public void accept(CodeBuilder builder, CodeElement element) {
            if (element instanceof ReturnInstruction) {
                builder.aconst_null();
                builder.invokestatic(SEAM, "exit", OBJECT);
            }
            builder.with(element);
        }
    }

    private void weave(String name, CodeBuilder builder, CodeElement element) {
        switch (element) {
            case InvokeInstruction call -> weaveCall(name, builder, call);
            case FieldInstruction field -> {
                if (isVolatile(field)) {
                    point(builder);
                }
                builder.with(field);
            }
            case MonitorInstruction monitor ->
                builder.invokestatic(
                        SEAM, monitor.opcode() == java.lang.classfile.Opcode.MONITORENTER ? "enter" : "exit", OBJECT);
            case NewObjectInstruction made -> {
                ClassDesc linked = linked(made.className().asInternalName());
                if (linked == null) {
                    builder.with(made);
                } else {
                    builder.new_(linked);
                }
            }
            default -> builder.with(element);
        }
    }

    private void weaveCall(String name, CodeBuilder builder, InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        String method = call.name().stringValue();
        ClassDesc linked = linked(owner);
        if (linked != null && method.equals("<init>")) {
            builder.invokespecial(linked, method, call.typeSymbol());
        } else if (owner.equals("java/util/concurrent/ConcurrentHashMap") && method.equals("newKeySet")) {
            builder.invokestatic(SEAM, "set", MethodTypeDesc.of(ClassDesc.of("java.util.Set")));
        } else if (owner.equals("java/util/concurrent/locks/ReentrantLock") && !method.equals("<init>")) {
            builder.invokestatic(
                    SEAM, method, MethodTypeDesc.of(call.typeSymbol().returnType(), LOCK));
        } else if (owner.equals("org/verbena/memory/store/PageStore") && method.equals("await")) {
            builder.invokestatic(SEAM, "await", call.typeSymbol().insertParameterTypes(0, ConstantDescs.CD_Object));
        } else if (owner.equals("java/lang/Thread") && method.equals("currentThread")) {
            builder.invokestatic(SEAM, "currentThread", call.typeSymbol());
        } else if (owner.equals("java/lang/Thread") && method.equals("onSpinWait")) {
            builder.invokestatic(SEAM, "pause", NOTHING);
        } else if (owner.equals("java/util/concurrent/locks/LockSupport") && method.startsWith("park")) {
            builder.invokestatic(SEAM, "pause", call.typeSymbol());
        } else if (owner.equals("java/lang/foreign/MemorySegment")
                && method.equals("copy")
                && name.endsWith("/PagedAccess")) {
            builder.invokestatic(SEAM, "copy", call.typeSymbol());
        } else {
            if (isAtomic(owner, method, call)) {
                point(builder);
            }
            builder.with(call);
            if (name.endsWith("/Backing") && owner.equals("java/lang/invoke/VarHandle")) {
                builder.invokestatic(SEAM, "atomic", NOTHING);
            }
        }
    }

    /** A leaf of a table is looked up before each use of a word in it, and does not change any more once it is there. */
    private static boolean isAtomic(String owner, String method, InvokeInstruction call) {
        boolean handle = owner.equals("java/lang/invoke/VarHandle")
                && !(method.startsWith("get") && call.type().stringValue().contains("[[J"));
        return handle
                || (owner.startsWith("java/util/concurrent/atomic/") && !method.equals("<init>"))
                || owner.startsWith("java/util/concurrent/ConcurrentLinkedQueue");
    }

    private void point(CodeBuilder builder) {
        points++;
        builder.invokestatic(SEAM, "point", NOTHING);
    }

    private static @Nullable ClassDesc linked(String internalName) {
        return switch (internalName) {
            case "java/util/HashMap" -> LINKED_MAP;
            case "java/util/HashSet" -> LINKED_SET;
            default -> null;
        };
    }

    private boolean isVolatile(FieldInstruction field) {
        String owner = field.owner().asInternalName();
        return owner.startsWith("org/verbena/")
                && volatiles
                        .computeIfAbsent(owner, this::volatilesOf)
                        .contains(field.name().stringValue());
    }

    private Set<String> volatilesOf(String internalName) {
        Set<String> names = new HashSet<>();
        byte[] bytes = read(internalName);
        if (bytes != null) {
            classFile.parse(bytes).fields().stream()
                    .filter(field -> field.flags().has(AccessFlag.VOLATILE))
                    .forEach(field -> names.add(field.fieldName().stringValue()));
        }
        return names;
    }
}
